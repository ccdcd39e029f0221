// SPDX-License-Identifier: Apache-2.0
/** The rules of diagnosis, one a file, and the facts that they judge. */
@NullMarked
package io.thalweg.doctor.rule;

import org.jspecify.annotations.NullMarked;
