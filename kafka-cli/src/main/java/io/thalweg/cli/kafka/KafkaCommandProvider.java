// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.cli.CommandProvider;

/** Adds {@code thalweg kafka} to the command line. */
public final class KafkaCommandProvider implements CommandProvider {
    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public Object command() {
        return new KafkaCommand();
    }
}
