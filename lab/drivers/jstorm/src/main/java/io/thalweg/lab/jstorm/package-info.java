// SPDX-License-Identifier: Apache-2.0
/**
 * The lab's relays on JStorm, which has Storm's interfaces as they were before Apache's, in one process. Spout and bolts repeat
 * those of the driver of Storm, since they extend classes of the same names in other packages. Sources that a build rewrites
 * from one to the other would hide from the compiler's checks and from readers what the two differ in: fillers, and raw types.
 * What depends on neither is in {@link io.thalweg.lab.driver.TupleLayout}.
 */
@NullMarked
package io.thalweg.lab.jstorm;

import org.jspecify.annotations.NullMarked;
