package civil
