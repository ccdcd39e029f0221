// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.record;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name of a record component in files, if it differs from its name in Java: {@code @Name("net-type") String net}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Name {
    /** The name in files. */
    String value();
}
