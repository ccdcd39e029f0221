// SPDX-License-Identifier: Apache-2.0
/** The Flink road: a topology as a job of Apache Flink. Begins at {@link io.thalweg.flink.FlinkRunner}. */
@NullMarked
package io.thalweg.flink;

import org.jspecify.annotations.NullMarked;
