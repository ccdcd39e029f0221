// SPDX-License-Identifier: Apache-2.0
package org.apache.storm.testing;

import java.util.HashMap;
import java.util.Map;
import org.apache.storm.Testing;
import org.jspecify.annotations.Nullable;

/** How {@link Testing#completeTopology} runs a topology. Not thread-safe. */
public class CompleteTopologyParam {
    private MockedSources mockedSources = new MockedSources();
    private Map<String, Object> stormConf = new HashMap<>();
    private boolean cleanupState = true;
    private @Nullable String topologyName;
    private int timeoutMs = Testing.TEST_TIMEOUT_MS;

    /** Without mocked sources, with nothing in the topology's conf, and with the default timeout. */
    public CompleteTopologyParam() {}

    /** What spouts emit in place of their own tuples. */
    public MockedSources getMockedSources() {
        return mockedSources;
    }

    /** @param sources null for none */
    public void setMockedSources(@Nullable MockedSources sources) {
        mockedSources = sources == null ? new MockedSources() : sources;
    }

    /** The conf of the topology. */
    public Map<String, Object> getStormConf() {
        return stormConf;
    }

    /** @param conf null for an empty one */
    public void setStormConf(@Nullable Map<String, Object> conf) {
        stormConf = conf == null ? new HashMap<>() : conf;
    }

    /** Whether what the topology emitted is forgotten once it has been returned. */
    public boolean getCleanupState() {
        return cleanupState;
    }

    /** See {@link #getCleanupState}. */
    public void setCleanupState(Boolean wanted) {
        cleanupState = wanted;
    }

    /** The name of the topology; null if it gets one of its own. */
    public @Nullable String getTopologyName() {
        return topologyName;
    }

    /** @param name null for one of its own */
    public void setTopologyName(@Nullable String name) {
        topologyName = name;
    }

    /** How long the spouts may take, in milliseconds. */
    public Integer getTimeoutMs() {
        return timeoutMs;
    }

    /** @param ms null for the default, {@link Testing#TEST_TIMEOUT_MS} */
    public void setTimeoutMs(@Nullable Integer ms) {
        timeoutMs = ms == null ? Testing.TEST_TIMEOUT_MS : ms;
    }
}
