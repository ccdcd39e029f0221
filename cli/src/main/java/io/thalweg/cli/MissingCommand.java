// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Stands for a command whose module is not there. */
@Command(description = "Starts a trial Kafka broker; lists, writes and reads topics.")
final class MissingCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Unmatched
    private List<String> arguments = List.of();

    @Override
    public Integer call() {
        String name = Objects.requireNonNull(spec).name();
        return Failures.report(
                new UsageException("thalweg " + name + " " + String.join(" ", arguments) + " needs thalweg-" + name
                        + "-cli and its dependencies on the class path; ./thalweg adds them"),
                false);
    }
}
