// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.Suggestion;
import io.thalweg.cli.report.Report;
import io.thalweg.cli.report.StandardOutput;
import io.thalweg.cli.report.Terminal;
import io.thalweg.run.PlainText;
import io.thalweg.run.TrialCluster;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Where {@code ./thalweg} begins: hands the arguments to the command they name and exits with its code. */
@Command(
        name = "thalweg",
        description = "Runs a topology inside one JVM at the speed of the machine.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class)
public final class Main implements Runnable {
    private static final String DEBUG = "--debug";

    @Spec
    private @Nullable CommandSpec spec;

    private Main() {}

    public static void main(String[] arguments) {
        logInOneLine();
        System.setOut(StandardOutput.ofProcess().printed());
        PrintStream error = Report.standardError();
        CommandLine.tracer()
                .setLevel(
                        CommandLine.TraceLevel
                                .OFF); // it warns of quotation marks with the value, which may be a secret
        CommandLine commands = new CommandLine(new Main());
        Map<String, Supplier<CommandLine>> own = own(List.of(arguments));
        String asked = arguments.length == 0 ? "" : arguments[0];
        boolean known = own.containsKey(asked);
        if (known) {
            own.keySet().retainAll(List.of(asked)); // the others would only take their time
        }
        own.forEach((name, command) -> commands.addSubcommand(name, command.get()));
        if (!known) {
            addFromParts(commands);
        }
        commands.setExpandAtFiles(false)
                .setColorScheme(CommandLine.Help.defaultColorScheme(
                        Terminal.isOutput() && Terminal.isColourWanted() ? Ansi.ON : Ansi.OFF))
                .setExecutionExceptionHandler((problem, command, all) -> unexpected(problem, command))
                .setParameterExceptionHandler((problem, all) -> {
                    error.println("thalweg: " + PlainText.line(describe(problem, List.of(all))));
                    return ExitCodes.USAGE;
                });
        System.exit(written(execute(commands, arguments), error));
    }

    private static int execute(CommandLine commands, String[] arguments) {
        try {
            return commands.execute(arguments);
        } catch (Error e) { // such as no memory, which not every command expects
            return Failures.report(e);
        }
    }

    /** Of a command that does not report it itself: in one line, as all others do. */
    private static int unexpected(Exception problem, CommandLine command) {
        return command.getCommandSpec().findOption(DEBUG) == null
                ? Failures.report(problem)
                : Failures.report(problem, command.getParseResult().hasMatchedOption(DEBUG));
    }

    /**
     * The code of a command, which has failed if what it said is not there: it may be all that it was asked for, or all that says why
     * it failed.
     */
    private static int written(int code, PrintStream error) {
        System.out.flush();
        String loss = StandardOutput.ofProcess().loss();
        if (loss == null) {
            return code;
        }
        error.println("thalweg: standard output could not be written: " + PlainText.line(loss));
        return code == ExitCodes.DONE ? ExitCodes.FAILED : code;
    }

    /** What the JDK's loggers say, such as the lines that operators in Python print, looks like what we say. */
    private static void logInOneLine() {
        String format = "java.util.logging.SimpleFormatter.format";
        if (System.getProperty(format) == null) {
            System.setProperty(format, "thalweg: %5$s%6$s%n");
        }
    }

    /** The commands that need no other module, by name. */
    private static Map<String, Supplier<CommandLine>> own(List<String> arguments) {
        Map<String, Supplier<CommandLine>> own = new LinkedHashMap<>();
        own.put("run", () -> {
            Runners roads = Runners.of(arguments);
            return ofJobs(
                    new RunCommand(roads),
                    roads,
                    Map.of(
                            "job.help", "a single-file topology (.java), or a .jar",
                            "json.help", "with --doctor: writes what was observed and found as JSON; - for stdout"));
        });
        own.put("doctor", () -> {
            Runners roads = Runners.of(arguments);
            return ofJobs(
                    new DoctorCommand(roads),
                    roads,
                    Map.of(
                            "job.help",
                                    "a single-file topology (.java), a .jar, a file that --json wrote (.json, - for stdin), flink=HOST:PORT[/JOB], or kafka=HOST:PORT/GROUP",
                            "json.help", "writes what was observed and found as JSON; - for stdout"));
        });
        own.put("stages", () -> new CommandLine(new StagesCommand()));
        own.put("tune", () -> {
            Runners roads = Runners.of(arguments);
            return ofJobs(new TuneCommand(roads), roads, Map.of());
        });
        own.put("jobs", () -> new CommandLine(new JobsCommand()));
        own.put("status", () -> new CommandLine(new StatusCommand()));
        own.put("stop", () -> new CommandLine(new StopCommand()));
        own.put("savepoint", () -> new CommandLine(new SavepointCommand()));
        own.put("web", () -> new CommandLine(new WebCommand()));
        own.put("new", () -> new CommandLine(new NewCommand()));
        own.put("checkpoints", () -> new CommandLine(new CheckpointsCommand()));
        if (System.getProperty("thalweg.distribution") == null) { // which has neither the lab's jars nor its drivers
            own.put("lab", () -> new CommandLine(new LabCommand()));
            own.put("race", () -> new CommandLine(new RaceCommand()));
        }
        return own;
    }

    private static CommandLine ofJobs(Object command, Runners roads, Map<String, String> help) {
        CommandLine made = new CommandLine(command);
        roads.addTo(made.getCommandSpec(), help);
        return made;
    }

    /** Commands of modules with libraries that not everybody needs: looked for only if no other is asked for. */
    private static void addFromParts(CommandLine commands) {
        List<CommandProvider> within = new ArrayList<>();
        for (CommandProvider provider : ServiceLoader.load(CommandProvider.class, Main.class.getClassLoader())) {
            if (provider.name().indexOf(' ') > 0) {
                within.add(provider);
            } else {
                commands.addSubcommand(provider.name(), provider.command());
            }
        }
        for (TrialCluster cluster : ServiceLoader.load(TrialCluster.class, Main.class.getClassLoader())) {
            commands.addSubcommand(cluster.name(), new ClusterCommand());
        }
        for (Part part : Part.all()) {
            String name = part.said("command");
            if (!name.isEmpty()
                    && name.indexOf(' ') < 0
                    && !commands.getSubcommands().containsKey(name)) {
                boolean starts = !part.said("road").isEmpty();
                commands.addSubcommand(name, starts ? new ClusterCommand() : MissingCommand.of(part));
            }
        }
        within.forEach(provider -> addWithin(commands, provider.name(), new CommandLine(provider.command())));
        for (Part part : Part.all()) {
            if (part.said("command").indexOf(' ') > 0) {
                addWithin(commands, part.said("command"), MissingCommand.of(part));
            }
        }
    }

    /** Adds a command of two words, {@code storm run}, to that of the first one, unless it is there. */
    private static void addWithin(CommandLine commands, String name, CommandLine command) {
        String first = name.substring(0, name.indexOf(' '));
        String second = name.substring(first.length() + 1);
        CommandLine of = commands.getSubcommands().get(first);
        if (of == null) {
            of = new CommandLine(new ClusterCommand());
            commands.addSubcommand(first, of);
        }
        if (!of.getSubcommands().containsKey(second)) {
            of.addSubcommand(second, command);
            tell(of.getCommandSpec().usageMessage(), second, command);
        }
    }

    /** Says in the list of commands, which has those of one word, what the second one is for. */
    private static void tell(UsageMessageSpec first, String name, CommandLine second) {
        String[] words = first.description();
        String[] more = second.getCommandSpec().usageMessage().description();
        if (words.length > 0 && more.length > 0 && !more[0].isEmpty()) {
            words[0] = words[0].replaceFirst("\\.$", "") + "; " + name + ": " + Character.toLowerCase(more[0].charAt(0))
                    + more[0].substring(1);
            first.description(words);
        }
    }

    @Override
    public void run() {
        Objects.requireNonNull(spec).commandLine().usage(System.out);
    }

    private static String describe(ParameterException problem, List<String> arguments) {
        CommandSpec command = problem.getCommandLine().getCommandSpec();
        String message = problem instanceof UnmatchedArgumentException unmatched
                ? unknown(unmatched.getUnmatched().get(0), command, arguments)
                : Failures.oneLine(problem).replace("option option", "option"); // as picocli says it of maps
        return message + " (see " + command.qualifiedName() + " --help)";
    }

    private static String unknown(String argument, CommandSpec command, List<String> arguments) {
        if (argument.startsWith("-")) {
            String name = argument.split("=", 2)[0];
            return "unknown option " + name
                    + Suggestion.of(name, command.optionsMap().keySet());
        }
        if (command.subcommands().isEmpty()) {
            String takes = command.positionalParameters().isEmpty()
                    ? "this command takes options only"
                    : "one " + command.positionalParameters().get(0).paramLabel() + " at a time";
            boolean setting = argument.indexOf('=') > 0 && command.findOption("--set") != null;
            return takes + ", and '" + argument + "' is one too many"
                    + (setting ? "; each setting needs its own --set: --set " + argument : apart(command, arguments));
        }
        return "unknown command '" + argument + "'"
                + Suggestion.of(argument, command.subcommands().keySet());
    }

    /** Names an option whose value may be left out, if it stands apart from what looks like its value. */
    private static String apart(CommandSpec command, List<String> arguments) {
        for (int i = 0; i < arguments.size() - 1; i++) {
            OptionSpec option = command.findOption(arguments.get(i));
            String value = arguments.get(i + 1);
            if (option != null
                    && option.arity().min() == 0
                    && option.arity().max() == 1
                    && !option.typeInfo().isBoolean()
                    && !value.matches("-.*|.*\\.(java|jar)")) {
                return "; write " + arguments.get(i) + "=" + value;
            }
        }
        return "";
    }

    /** Reads the version that the build wrote into this jar. */
    public static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"thalweg " + (version == null ? "(not from a jar)" : version)};
        }
    }
}
