// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The name that a component of a record has in JSON, if it is another. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface JsonName {
    String value();
}
