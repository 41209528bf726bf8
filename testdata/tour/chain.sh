# An agent runs these, one after the other: it starts two others, gives each a
# prompt, waits for both, answers what one of them asks, and closes them.
deck start -n one $CHILD | cut -d' ' -f1 >one
deck start -n two $CHILD | cut -d' ' -f1 >two
deck prompt $(cat one) "$FIRST" >one.prompt
deck prompt $(cat two) "$SECOND" >two.prompt
deck wait $(cat one.prompt) $(cat two.prompt) >asked; echo $? >asked.status
deck answer two --option 1
deck wait $(cat one.prompt) $(cat two.prompt) >results
deck discover "two agents looked at the parser: $(deck read $(cat one) | tail -1)"
deck close $(cat one) $(cat two)
