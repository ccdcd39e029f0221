// SPDX-License-Identifier: Apache-2.0
/**
 * The contracts of sources and sinks.
 *
 * <p>A {@link io.thalweg.api.connector.Source} names its splits; each is read by a {@link io.thalweg.api.connector.SplitReader}, whose
 * positions a checkpoint saves. A {@link io.thalweg.api.connector.LiveSource} reads all splits of a task over one connection. A
 * {@link io.thalweg.api.connector.Sink} opens a {@link io.thalweg.api.connector.SinkWriter} for each task; a
 * {@link io.thalweg.api.connector.CheckpointedWriter} writes exactly once, with a two-phase commit.
 * {@link io.thalweg.api.connector.Sources} and {@link io.thalweg.api.connector.Sinks} are ready-made ones for memory, sockets and the
 * console.
 */
@NullMarked
package io.thalweg.api.connector;

import org.jspecify.annotations.NullMarked;
