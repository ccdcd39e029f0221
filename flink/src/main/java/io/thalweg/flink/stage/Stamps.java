// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import java.io.Serializable;

/** For an operator with two inputs: whether the records of each are {@link io.thalweg.flink.record.Stamped}. */
public record Stamps(boolean first, boolean second) implements Serializable {}
