package ipcread
