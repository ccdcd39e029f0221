// SPDX-License-Identifier: Apache-2.0
/** Observes a job of the embedded engine. */
@NullMarked
package io.thalweg.doctor.embedded;

import org.jspecify.annotations.NullMarked;
