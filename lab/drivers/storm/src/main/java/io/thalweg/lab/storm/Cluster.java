// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import java.io.Closeable;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;

/** Where topologies run. */
interface Cluster extends Closeable {
    void submit(String name, Config config, StormTopology topology) throws Exception;

    /** Ends a topology at once. */
    void kill(String name) throws Exception;
}
