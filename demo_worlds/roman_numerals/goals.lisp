;;;; The tests of the system are the goals: one goal each, named `roman: test`.

(suite :roman)
