"""The revisions, a module each, found by being here: ``version_N`` brings a store from version N - 1 to N."""
