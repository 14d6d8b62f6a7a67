"""What is to be done next: the operator's word or the proposer's, what that sees, costs and is worth."""
