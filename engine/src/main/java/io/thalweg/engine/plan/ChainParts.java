// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.engine.chain.Count;
import io.thalweg.engine.chain.Outlet;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.source.TimeReader;
import java.util.ArrayList;
import java.util.List;

/** What a task must know of the chain that is being built, beside where records enter it. */
final class ChainParts {
    /** From the far end to the input: what follows a stage is made before it. */
    final List<Stage> stages = new ArrayList<>();

    final List<Outlet> outlets = new ArrayList<>();
    final List<TimeReader> times = new ArrayList<>();

    /** Of the sinks that not every record of the input comes to. */
    final List<Count.Passed> written = new ArrayList<>();

    /** How many sinks every record of the input comes to. */
    int sinksOfAll;
}
