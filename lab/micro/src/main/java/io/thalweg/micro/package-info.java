// SPDX-License-Identifier: Apache-2.0
/** How fast the engine is beside a loop written by hand: one benchmark a class, its topology drawn in its Javadoc. */
@NullMarked
package io.thalweg.micro;

import org.jspecify.annotations.NullMarked;
