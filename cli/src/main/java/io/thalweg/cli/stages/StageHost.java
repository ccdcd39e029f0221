// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.stages;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.engine.HostedChain;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Runs a chain and takes from it what it emits. */
abstract class StageHost implements HostedChain.Host {
    private static final PrintStream NOWHERE =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);

    @Override
    public void barrier(int link, long checkpoint) {}

    @Override
    public void bad(String operator, BadRecord record) {}

    @Override
    public void opened(boolean outputsRestored) {}

    @Override
    public void saved(long checkpoint, byte[] state, long heldNs, long tookNs) {}

    @Override
    public void drained() {}

    @Override
    public void reached(int limit) {}

    @Override
    public void committed() {}

    @Override
    public void wakeUp() {}

    @Override
    public void answered(long root, boolean failed) {}

    @Override
    public void dropped(long records) {}

    @Override
    public void warn(String line) {}

    @Override
    public PrintStream console() {
        return NOWHERE;
    }
}
