"""What a session leaves to be read or carried out again: transcripts, evidence, plain projects."""
