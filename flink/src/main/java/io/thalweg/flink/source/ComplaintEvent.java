// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import org.apache.flink.api.connector.source.SourceEvent;

/** What the enumerator of a source has to tell its user: it has no accumulators, and a reader has. */
record ComplaintEvent(String line) implements SourceEvent {}
