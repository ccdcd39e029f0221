// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import org.apache.flink.api.connector.source.SourceEvent;

/** A reader in a graph with limits has come to its end, and waits for {@link NothingWanted}: its task must not end before. */
record AllRead() implements SourceEvent {}
