// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.state;

import java.util.Map;
import org.apache.storm.state.State;
import org.apache.storm.state.StateProvider;
import org.apache.storm.task.TopologyContext;

/** Storm's {@code topology.state.provider} for a topology that has a {@link StateFolder}. Storm makes it by its name. */
public final class FileStateProvider implements StateProvider {
    @Override
    public State newState(String namespace, Map<String, Object> conf, TopologyContext context) {
        return StateFolder.of(context.getStormId()).state(namespace, conf, context);
    }
}
