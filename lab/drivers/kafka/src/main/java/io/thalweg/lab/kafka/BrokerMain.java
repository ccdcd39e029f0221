// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.kafka;

import kafka.Kafka;
import kafka.tools.StorageTool;

/** {@code BrokerMain CLUSTER-ID server.properties}: formats the broker's folder and runs the broker, in one JVM. */
final class BrokerMain {
    private BrokerMain() {}

    public static void main(String[] arguments) {
        String[] format = {"format", "--cluster-id", arguments[0], "--config", arguments[1]};
        if (StorageTool.execute(format, System.out) != 0) {
            System.exit(1);
        }
        Kafka.main(new String[] {arguments[1]});
    }
}
