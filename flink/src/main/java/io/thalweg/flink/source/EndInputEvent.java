// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import org.apache.flink.api.connector.source.SourceEvent;

/** Tells a reader to end its input at the position that it has reached. */
record EndInputEvent() implements SourceEvent {}
