"""View models: the text, figures, results and device health that every screen shows. Independent of any server."""
