// SPDX-License-Identifier: Apache-2.0
/** How one thing differs from another, from runs of both, and how small a difference they could have shown. */
@NullMarked
package io.thalweg.doctor.compare;

import org.jspecify.annotations.NullMarked;
