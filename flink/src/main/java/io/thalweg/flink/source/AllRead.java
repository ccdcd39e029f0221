// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import org.apache.flink.api.connector.source.SourceEvent;

/** A reader in a graph with limits has reached its end, and waits for {@link NothingWanted} before its task ends. */
record AllRead() implements SourceEvent {}
