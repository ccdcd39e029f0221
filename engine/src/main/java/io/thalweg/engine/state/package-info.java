// SPDX-License-Identifier: Apache-2.0
/** Station 2b of 5: what operators remember: windows, keyed state, timers. They stand in the chain like any other operator. */
@NullMarked
package io.thalweg.engine.state;

import org.jspecify.annotations.NullMarked;
