// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Stands for a command whose module is not on the class path. */
@Command
final class MissingCommand implements Callable<Integer> {
    private final Part part;

    @Unmatched
    private final List<String> arguments = new ArrayList<>();

    private MissingCommand(Part part) {
        this.part = part;
    }

    static CommandLine of(Part part) {
        CommandLine command = new CommandLine(new MissingCommand(part));
        command.getCommandSpec().usageMessage().description(part.said("help"));
        return command;
    }

    @Override
    public Integer call() {
        String words = arguments.stream()
                .takeWhile(each -> !each.startsWith("-")) // settings behind them may be secrets
                .map(each -> " " + each)
                .collect(Collectors.joining());
        return Failures.report(
                new UsageException("thalweg " + part.said("command") + words + " needs thalweg-" + part.name()
                        + " and its dependencies on the class path; ./thalweg adds them"),
                false);
    }
}
