import torchwhy  # in an environment where it is installed; `import torchwhy` is the same package

helper = torchwhy.Assistant()  # opens the knowledge base once; lang="zh" answers in Chinese
answer = helper.ask("RuntimeError: Trying to backward through the graph a second time")
if answer.match is not None:  # None where nothing fits; answer.family or answer.python_error may say more
    print(answer.match.id, answer.match.probability)
    print(answer.title)  # a property, as all below that stand without parentheses
    print(answer.fix)
if answer.here is not None:  # the user's own line, where the text names one
    print(answer.here.file, answer.here.line, answer.here.code)
print(answer)  # the first screen
