// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.cli.CommandProvider;

/** Adds {@code thalweg storm run} to the command line. */
public final class StormRunProvider implements CommandProvider {
    @Override
    public String name() {
        return "storm run";
    }

    @Override
    public Object command() {
        return new StormRunCommand();
    }
}
