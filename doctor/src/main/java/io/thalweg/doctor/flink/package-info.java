// SPDX-License-Identifier: Apache-2.0
/** Observes a running job of any Flink cluster through its REST API. */
@NullMarked
package io.thalweg.doctor.flink;

import org.jspecify.annotations.NullMarked;
