// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import org.apache.flink.api.connector.source.SourceEvent;

/** Tells a reader that it has been given all its splits that are known, and that more may be found. */
record AllKnown() implements SourceEvent {}
