// Runs the program named by its argument: the name of its file.
using Sick;

Dictionary<string, Action> sick = new()
{
    ["RuntimeResult"] = Orders.Start,
    ["RuntimeSleep"] = Payments.Start,
    ["RuntimeLambda"] = Printers.Start,
};
Dictionary<string, Action> well = new()
{
    ["RuntimeHealthy"] = Shipments.Start,
    ["SchedulerDeadlock"] = Accounts.Start,
};

return Running.Run(sick, well, args);
