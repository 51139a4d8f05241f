module guild-settings-example

go 1.19
