// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import org.apache.flink.api.connector.source.SourceEvent;

/** Tells a reader that its input ends where it has read to. */
record NothingWanted() implements SourceEvent {}
