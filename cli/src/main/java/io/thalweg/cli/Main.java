// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.Suggestion;
import io.thalweg.cli.report.Report;
import io.thalweg.cli.report.Terminal;
import io.thalweg.run.PlainText;
import java.io.PrintStream;
import java.util.Objects;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Where {@code ./thalweg} begins: hands the arguments to the command they name and exits with its code. */
@Command(
        name = "thalweg",
        description = "Runs a topology inside one JVM at the speed of the machine.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        subcommands = {
            RunCommand.class,
            JobsCommand.class,
            StatusCommand.class,
            StopCommand.class,
            SavepointCommand.class,
            NewCommand.class,
            CheckpointsCommand.class
        })
public final class Main implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    private Main() {}

    public static void main(String[] arguments) {
        PrintStream error = Report.standardError();
        CommandLine commands = new CommandLine(new Main())
                .addSubcommand("flink", new ClusterCommand())
                .addSubcommand("storm", new ClusterCommand())
                .addSubcommand("kafka", kafka(arguments));
        if (System.getProperty("thalweg.distribution") == null) { // which has neither the lab's jars nor its drivers
            commands.addSubcommand("lab", new LabCommand());
        }
        commands.setExpandAtFiles(false)
                .setColorScheme(CommandLine.Help.defaultColorScheme(
                        Terminal.isOutput() && Terminal.isColourWanted() ? Ansi.ON : Ansi.OFF))
                .setParameterExceptionHandler((problem, all) -> {
                    error.println("thalweg: " + PlainText.line(describe(problem)));
                    return ExitCodes.USAGE;
                });
        System.exit(commands.execute(arguments));
    }

    /** Looked for only where it is asked for. */
    private static Object kafka(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals("kafka")) {
            for (CommandProvider provider : ServiceLoader.load(CommandProvider.class, Main.class.getClassLoader())) {
                if (provider.name().equals("kafka")) {
                    return provider.command();
                }
            }
        }
        return new MissingCommand();
    }

    @Override
    public void run() {
        Objects.requireNonNull(spec).commandLine().usage(System.out);
    }

    private static String describe(ParameterException problem) {
        CommandSpec command = problem.getCommandLine().getCommandSpec();
        String message = problem instanceof UnmatchedArgumentException unmatched
                ? unknown(unmatched.getUnmatched().get(0), command)
                : Failures.oneLine(problem).replace("option option", "option"); // as picocli says it of maps
        return message + " (see " + command.qualifiedName() + " --help)";
    }

    private static String unknown(String argument, CommandSpec command) {
        if (argument.startsWith("-")) {
            String name = argument.split("=", 2)[0];
            return "unknown option " + name
                    + Suggestion.of(name, command.optionsMap().keySet());
        }
        if (command.subcommands().isEmpty()) {
            String takes = command.positionalParameters().isEmpty()
                    ? "this command takes options only"
                    : "one " + command.positionalParameters().get(0).paramLabel() + " at a time";
            return takes + ", and '" + argument + "' is one too many";
        }
        return "unknown command '" + argument + "'"
                + Suggestion.of(argument, command.subcommands().keySet());
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
