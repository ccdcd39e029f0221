// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import org.apache.flink.api.connector.source.SourceEvent;

/** A reader in a graph with limits has reached its end, and waits for {@link EndInputEvent} before its task ends. */
record EndReachedEvent() implements SourceEvent {}
