// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.engine.chain.Count;
import io.thalweg.engine.chain.Outlet;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.source.TimeReader;
import java.util.ArrayList;
import java.util.List;

/** What a task needs from its chain, besides the receivers; filled while the chain is built. */
final class ChainParts {
    /** From the last to the first, because a stage is built after its successors. */
    final List<Stage> stages = new ArrayList<>();

    final List<Outlet> outlets = new ArrayList<>();
    final List<TimeReader> times = new ArrayList<>();

    /** Counters of the sinks that not every input record reaches. */
    final List<Count.Passed> written = new ArrayList<>();

    /** How many sinks every input record reaches. */
    int sinksOfAll;
}
