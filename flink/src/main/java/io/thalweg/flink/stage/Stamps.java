// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import java.io.Serializable;

/** Of an operator with two inputs, whether the records of each come as {@link io.thalweg.flink.record.Stamped}. */
public record Stamps(boolean first, boolean second) implements Serializable {}
