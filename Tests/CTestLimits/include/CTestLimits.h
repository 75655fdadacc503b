// Nothing to call: to be linked is enough.
