// SPDX-License-Identifier: Apache-2.0
/**
 * The lab's cells on Apache Flink, as its own users would write them: sources by the Source API, Flink's own serializers, sinks
 * chained behind what feeds them. {@link io.thalweg.lab.flink.FlinkDriver} is the way in; a job runs on a MiniCluster in the
 * driver's JVM, or on a {@link io.thalweg.lab.flink.Cluster} of two TaskManagers.
 */
@NullMarked
package io.thalweg.lab.flink;

import org.jspecify.annotations.NullMarked;
