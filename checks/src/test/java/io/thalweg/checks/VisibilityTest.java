// SPDX-License-Identifier: Apache-2.0
package io.thalweg.checks;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Nothing in the engine is public that only its own package uses. */
final class VisibilityTest {

    @Test
    void publicTypesOfTheEngineShouldBeUsedByAnotherPackage() {
        classes()
                .that()
                .resideInAPackage("io.thalweg.engine..")
                .and(describe("can be used by other packages", VisibilityTest::visible))
                .should(beAmong(usedByOtherPackages()))
                .because("what is package-private can be changed without looking further")
                .check(ProjectClasses.MAIN);
    }

    /** Public, and so are the types around it. */
    private static boolean visible(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(VisibilityTest::visible).orElse(true);
    }

    private static ArchCondition<JavaClass> beAmong(Set<String> used) {
        return new ArchCondition<>("be used by another package, or by its tests") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean ok = used.contains(type.getName());
                events.add(new SimpleConditionEvent(
                        type,
                        ok,
                        type.getName() + (ok ? " is" : " is not")
                                + " used by another package: make it package-private"));
            }
        };
    }

    /** The names of all types that another package uses, and of the types around them, which must be as visible. */
    private static Set<String> usedByOtherPackages() {
        return Stream.of(ProjectClasses.MAIN, ProjectClasses.TESTS)
                .flatMap(JavaClasses::stream)
                .flatMap(type -> usedBy(type)
                        .filter(used -> used.getName().contains("io.thalweg.")) // arrays of others are not resolved
                        .map(JavaClass::getBaseComponentType)
                        .filter(used -> !used.getPackageName().equals(type.getPackageName())))
                .flatMap(VisibilityTest::andAround)
                .map(JavaClass::getName)
                .collect(Collectors.toSet());
    }

    /** Also what the methods that it calls return, which it may hold and pass on without naming a member. */
    private static Stream<JavaClass> usedBy(JavaClass type) {
        return Stream.concat(
                type.getDirectDependenciesFromSelf().stream().map(Dependency::getTargetClass),
                type.getMethodCallsFromSelf().stream()
                        .map(call -> call.getTarget().getRawReturnType()));
    }

    private static Stream<JavaClass> andAround(JavaClass type) {
        return Stream.iterate(
                        Optional.of(type), Optional::isPresent, inner -> inner.flatMap(JavaClass::getEnclosingClass))
                .map(Optional::get);
    }
}
