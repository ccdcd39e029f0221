// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.lab.driver.GroupBy;
import io.thalweg.workloads.telecom.FlatKey;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.serialization.KryoValuesSerializer;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

final class KeySerializersTest {
    @Test
    void shouldBringKeysToAnotherWorker() throws Exception {
        Config config = new Config();
        KeySerializers.register(config);
        Map<String, Object> all = Utils.readDefaultConfig();
        all.putAll(config);
        all.put(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, false);
        Values values = new Values(
                new GroupBy.Key(new int[] {7, -1, Integer.MAX_VALUE}),
                new FlatKey(new String[] {"a", null, "", "é"}, 7),
                3L);

        byte[] bytes = new KryoValuesSerializer(all).serialize(values);
        List<Object> back = new KryoValuesDeserializer(all).deserialize(bytes);

        assertThat(back).isEqualTo(values);
    }
}
