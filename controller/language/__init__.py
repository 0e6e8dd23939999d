"""The language of what players read: messages of gettext, which the screens and the scripts of pages translate."""
