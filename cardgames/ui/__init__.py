"""The one owner of the screen: what is shown, what is asked, and the turn loop."""
