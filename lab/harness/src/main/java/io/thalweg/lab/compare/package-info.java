// SPDX-License-Identifier: Apache-2.0
/** Whether one thing is slower than another, from runs of both, and how small a difference they could have shown. */
@NullMarked
package io.thalweg.lab.compare;

import org.jspecify.annotations.NullMarked;
