// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.drpc.DRPCSpout;
import org.apache.storm.drpc.ReturnResults;
import org.apache.storm.task.IBolt;
import org.apache.storm.trident.spout.RichSpoutBatchTriggerer;
import org.apache.storm.utils.DRPCClient;
import org.apache.storm.utils.ServiceRegistry;
import org.jspecify.annotations.Nullable;

/**
 * A DRPC function that a topology answers, for calls that come from this process.
 *
 * @param component the spout that takes them
 * @param calls {@link DrpcCalls}, or the LocalDRPC of Storm's servers, if these are on the class path
 */
record DrpcFunction(String component, String name, Object calls) {
    /** @throws io.thalweg.api.graph.TopologyException if its calls would come from elsewhere */
    static DrpcFunction of(Layout layout, String component, DRPCSpout spout) {
        String service = service(spout);
        if (service == null) {
            throw layout.problem(
                    component,
                    "it takes calls from a DRPC server, and there is none; make it with a LocalDRPC, or from Java with"
                            + " DrpcCalls, for calls from this process, or keep it on Storm");
        }
        Object calls = ServiceRegistry.getService(service);
        if (calls == null) {
            throw layout.problem(component, "the LocalDRPC that it takes calls from is closed");
        }
        return new DrpcFunction(component, spout.get_function(), calls);
    }

    /** What takes the calls, where this is a spout of Trident's; null if it takes none. */
    static @Nullable DRPCSpout spout(Object made) {
        Object spout = made instanceof RichSpoutBatchTriggerer batches
                ? field(RichSpoutBatchTriggerer.class, "delegate", batches)
                : made;
        return spout instanceof DRPCSpout calls ? calls : null;
    }

    /** Null if its calls come over the network. */
    private static @Nullable String service(DRPCSpout spout) {
        return (String) field(DRPCSpout.class, "localDrpcId", spout); // which Storm promises not to change
    }

    private static @Nullable Object field(Class<?> of, String name, Object spout) {
        try {
            Field field = of.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(spout);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a " + of.getSimpleName() + " is not as that of Storm 2.8", e);
        }
    }

    /** Whether the spout was made for a server, which this process stands in for. */
    boolean forServer() {
        return DRPCClient.isLocalOverride() && calls == ServiceRegistry.getService(DRPCClient.getOverrideServiceId());
    }

    void begin(Host topology) {
        if (calls instanceof DrpcCalls ours) {
            ours.begin(name, topology);
        }
    }

    void end(Host topology) {
        if (calls instanceof DrpcCalls ours) {
            ours.end(name, topology);
        }
    }

    /** What a bolt is prepared with: the one that returns answers looks for calls in this process only if there is no cluster. */
    static Map<String, Object> conf(IBolt bolt, Map<String, Object> conf) {
        if (!(bolt instanceof ReturnResults)) {
            return conf;
        }
        Map<String, Object> local = new HashMap<>(conf);
        local.put(Config.STORM_CLUSTER_MODE, "local");
        return local;
    }
}
