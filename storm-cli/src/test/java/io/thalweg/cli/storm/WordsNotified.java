// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.ISubmitterHook;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;

/** Is told of each topology that Storm's client has submitted, and ends it. */
public final class WordsNotified implements ISubmitterHook {
    static final String OPTION = Config.STORM_TOPOLOGY_SUBMISSION_NOTIFIER_PLUGIN + "=" + WordsNotified.class.getName();

    @Override
    public void notify(TopologyInfo info, Map<String, Object> conf, StormTopology topology) {
        System.out.println("submitted: " + info.get_name() + ", " + info.get_status() + ", its spouts "
                + topology.get_spouts().keySet());
        try (NimbusClient client = NimbusClient.Builder.withConf(conf).build()) {
            client.getClient().killTopology(info.get_name());
        } catch (TException e) {
            throw new IllegalStateException(e);
        }
    }
}
