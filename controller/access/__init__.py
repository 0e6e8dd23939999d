"""Access control: credentials, the floorperson's authentication, the dealer's log-on."""
