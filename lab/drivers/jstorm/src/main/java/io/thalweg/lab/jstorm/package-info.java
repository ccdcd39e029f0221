// SPDX-License-Identifier: Apache-2.0
/** The lab's relays on JStorm, which has Storm's interfaces as they were before Apache's, in one process. */
@NullMarked
package io.thalweg.lab.jstorm;

import org.jspecify.annotations.NullMarked;
