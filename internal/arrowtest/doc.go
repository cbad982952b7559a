package arrowtest
