// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import org.apache.flink.api.connector.source.SourceEvent;

/** Tells a reader that it has all known splits, and that more may be discovered. */
record AllSplitsKnownEvent() implements SourceEvent {}
